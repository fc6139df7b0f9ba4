import { bytesBefore, type Mp3Layout, mp3Bitrate, mp3FrameHeader } from './layout.ts';

/** Bytes of the leading frame: it is never padded. */
export function infoFrameBytes({ sampleRate }: Pick<Mp3Layout, 'sampleRate'>): number {
  return bytesBefore(1, sampleRate);
}

/**
 * The leading `Info` frame: gives players the number of frames (the right duration without reading the file) and the
 * number of padding samples at both ends (gapless playback). Decoders that do not know it play it as silence. Layout:
 * the Xing header, then LAME's extension (http://gabriel.mp3-tech.org/mp3infotag.html).
 */
export function infoFrame(layout: Mp3Layout): Uint8Array {
  const frame = new Uint8Array(infoFrameBytes(layout));
  const view = new DataView(frame.buffer);
  frame.set(mp3FrameHeader(layout, false));
  const xing = layout.channels === 1 ? 21 : 36;
  const fields = 0b1111; // frames, bytes, table of contents, quality
  frame.set(latin1('Info'), xing);
  view.setUint32(xing + 4, fields);
  view.setUint32(xing + 8, layout.frames);
  view.setUint32(xing + 12, frame.length + layout.audioBytes);
  for (let percent = 0; percent < 100; percent++) frame[xing + 16 + percent] = (percent * 256) / 100;
  view.setUint32(xing + 116, 100 - 10 * 4);
  const lame = xing + 120;
  frame.set(latin1('LAME3.100'), lame);
  frame[lame + 9] = 0x01; // tag revision 0, CBR
  // The rate in one byte, where 255 means 255 kbit/s or more (`PutLameVBR` in LAME 3.100's VbrTag.c writes it so), and
  // twelve bits each for what lies at both ends.
  const rate = Math.min(255, mp3Bitrate / 1000);
  view.setUint32(lame + 20, rate * 2 ** 24 + layout.delay * 4096 + layout.padding);
  view.setUint32(lame + 28, frame.length + layout.audioBytes);
  view.setUint16(lame + 34, crc16(frame.subarray(0, lame + 34)));
  return frame;
}

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** CRC-16 with the reflected polynomial 0xA001, as LAME's tag uses it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
