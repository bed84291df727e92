"""What is run on Tableside, and never with it: measurements, albums of test pictures."""
