"""Everything that changes assessments; each function is one transaction with its audit entry."""
