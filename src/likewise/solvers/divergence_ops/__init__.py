"""What the engines need of a divergence, in compiled loops where there are any."""
