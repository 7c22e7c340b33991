"""What a cluster's profile may hold, without a framework."""
