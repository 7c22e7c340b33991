"""Control -> Verification -> Remediation graph. Nothing stands here yet; see docs/plan.md."""
