"""Templates, styles, scripts and charts that every page of the portal shares; knows no other app."""
