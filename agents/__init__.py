"""What runs on GPU nodes. Never imports Django or the portal. Nothing stands here yet; see docs/plan.md."""
