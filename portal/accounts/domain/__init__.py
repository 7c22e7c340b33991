"""Rules about people that need no framework: roles and what they may do."""
