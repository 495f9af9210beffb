"""What `make` and Binder call: a reader's copies, the rehearsal of Binder, outputs as they are stored."""
