"""The headline KPIs of the six dimensions as pure functions: numbers in, a `Measured` value out."""
