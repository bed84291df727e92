"""The network that embeds faces: its pictures, its training, its measure."""
