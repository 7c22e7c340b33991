"""The rules of a roadmap without any framework: candidates, exact plan, reasons, projected score."""
