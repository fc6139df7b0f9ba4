// Stands in for a decoder that never ends: once it has a picture, it ignores everything.
process.on('message', () => {
  for (;;);
});
