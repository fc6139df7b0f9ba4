/** FAAD2. Not among its package's exports, so named by its file; the version is pinned, and the encoders' tests cover it. */
export const faadFile = new URL('./src/aac.wasm.js', import.meta.resolve('@audio/decode-aac'));

/** LAME. */
export const lameFile = new URL(import.meta.resolve('wasm-media-encoders/wasm/mp3'));
