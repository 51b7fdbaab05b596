"""What judge models are asked, and what is read out of their replies."""
