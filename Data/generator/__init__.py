"""The parts of generate.py: a town, journeys through it, a phone's view of them, and what is due."""
