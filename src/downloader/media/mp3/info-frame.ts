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
export function infoFrame(layout: Mp3Layout): Buffer {
  const frame = Buffer.alloc(infoFrameBytes(layout));
  mp3FrameHeader(layout, false).copy(frame);
  const xing = layout.channels === 1 ? 21 : 36;
  const fields = 0b1111; // frames, bytes, table of contents, quality
  frame.write('Info', xing, 'latin1');
  frame.writeUInt32BE(fields, xing + 4);
  frame.writeUInt32BE(layout.frames, xing + 8);
  frame.writeUInt32BE(frame.length + layout.audioBytes, xing + 12);
  for (let percent = 0; percent < 100; percent++)
    frame.writeUInt8(Math.floor((percent * 256) / 100), xing + 16 + percent);
  frame.writeUInt32BE(100 - 10 * 4, xing + 116);
  const lame = xing + 120;
  frame.write('LAME3.100', lame, 'latin1');
  frame.writeUInt8(0x01, lame + 9); // tag revision 0, CBR
  // One byte: 255 means 255 kbit/s or more (`PutLameVBR` in LAME 3.100's VbrTag.c).
  frame.writeUInt8(Math.min(255, mp3Bitrate / 1000), lame + 20);
  frame.writeUIntBE(layout.delay * 4096 + layout.padding, lame + 21, 3);
  frame.writeUInt32BE(frame.length + layout.audioBytes, lame + 28);
  frame.writeUInt16BE(crc16(frame.subarray(0, lame + 34)), lame + 34);
  return frame;
}

/** CRC-16 with the reflected polynomial 0xA001, as LAME's tag uses it. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
