// Stands in for a decoder that never ends: once it has a picture, it listens to nothing more.
process.on('message', () => {
  for (;;);
});
