/** Small writers for boxes (ISO/IEC 14496-12, 4.2) and descriptors (14496-1, 7.2). */

/** A box of a type around its contents. */
export function box(type: string, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([u32(body.length + 8), bytes(type), body]);
}

/** A box with version 0 and flags. */
export function fullBox(type: string, flags: number, ...contents: readonly Buffer[]): Buffer {
  return box(type, u32(flags), ...contents);
}

/** Numbers of 32 bits, the high byte first. */
export function u32(...values: readonly number[]): Buffer {
  return u32s(values);
}

/** A list of 32-bit values; negative ones in two's complement. */
export function u32s(values: readonly number[] | Uint32Array): Buffer {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, n) => void out.writeUInt32BE(value >>> 0, n * 4));
  return out;
}

/** A number of 64 bits, the high byte first; a negative one in two's complement. */
export function u64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigInt64BE(BigInt(value));
  return out;
}

/** Numbers of 16 bits, the high byte first. @throws RangeError outside of 0 to 65535 */
export function u16(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, n) => void out.writeUInt16BE(value, n * 2));
  return out;
}

/** One byte for each character. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** A descriptor of less than 128 bytes. */
export function descriptor(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length > 127) throw new RangeError(`descriptor of ${body.length} bytes`);
  return Buffer.concat([Buffer.from([tag, body.length]), body]);
}
