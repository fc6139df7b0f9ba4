import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLineWriter } from './logger.ts';

let folder: string;
let pipe: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clipferry-lines-'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(pipe);
  rmSync(folder, { recursive: true });
});

function read(): string {
  const buffer = Buffer.alloc(1 << 20);
  try {
    return buffer.toString('utf8', 0, readSync(pipe, buffer));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('EAGAIN');
    return '';
  }
}

const options = { maxWaiting: 10_000, enough: 500, formatLoss: (lost: number) => `lost ${lost}\n` };
const line = (n: number) => `${n} ${'ä'.repeat(40)}\n`;

test('writes lines together, in their order', () => {
  const writer = createLineWriter(pipe, options);
  writer.write('one\n');
  writer.write('two\n');
  expect(read()).toBe('');
  writer.writeOut();
  expect(read()).toBe('one\ntwo\n');
  writer.write(`${'x'.repeat(500)}\n`);
  expect(read()).toHaveLength(501);
  expect(writer.lost).toBe(0);
});

test('loses and counts lines without a reader, cuts none, and says so when there is room again', () => {
  const writer = createLineWriter(pipe, options);
  const count = 3000;
  for (let n = 0; n < count; n += 1) writer.write(line(n));
  expect(writer.lost).toBeGreaterThan(0);
  let text = '';
  for (let more = read(); more !== ''; more = read()) {
    text += more;
    writer.writeOut();
  }
  const kept = count - writer.lost;
  const expected = Array.from({ length: kept }, (_, n) => line(n)).join('');
  expect(text).toBe(`${expected}lost ${writer.lost}\n`);
  writer.write('afterwards\n');
  writer.writeOut();
  expect(read()).toBe('afterwards\n');
});

test('a full disk loses lines, and nothing else', () => {
  const full = openSync('/dev/full', 'w');
  const writer = createLineWriter(full, options);
  for (let n = 0; n < 1000; n += 1) writer.write(line(n));
  writer.writeOut();
  expect(writer.lost).toBeGreaterThan(500);
  closeSync(full);
});
