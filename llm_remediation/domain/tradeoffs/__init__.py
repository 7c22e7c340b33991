"""Trade-offs among dimensions: rules on numbers, their prices and options, and what was decided."""
