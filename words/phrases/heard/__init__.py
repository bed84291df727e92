"""What cameras, devices and disks say, a file a language; the English is `words.overheard`."""
