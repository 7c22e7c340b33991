"""Clusters and the services in scope on them."""
