import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';
import { faadFile, lameFile } from '../../downloader/media/mp3/wasm/codec-files.ts';

/** Lets browser code import the addresses of the codecs that the server encodes with. */
export default {
  resolve: {
    alias: [
      { find: /^codec-faad2(?=\?)/, replacement: fileURLToPath(faadFile) },
      { find: /^codec-lame(?=\?)/, replacement: fileURLToPath(lameFile) },
    ],
  },
} satisfies UserConfig;
