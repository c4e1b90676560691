"""What we talk about: frozen data, no processes. Every type here crosses a process boundary as plain JSON."""
