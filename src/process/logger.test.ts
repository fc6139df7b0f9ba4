import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../failures/failures.ts';
import { createLineWriter, serializeError } from './logger.ts';
import { errorsWith } from './testing/errors-with.ts';

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

const link = 'https://www.tiktok.com/@some.one/video/7301234567890123456';

test('writes an error with its kind, key, causes and stack, and without its post', () => {
  const cause = Object.assign(new Error(`no answer for ${link}`), { link, code: 'EFAIL' });
  const serialized = serializeError(new Failure('post_gone', { link, otherLink: link, cause, note: link }));
  expect(serialized).toMatchObject({
    ...{ type: 'Failure', key: 'post_gone' },
    message: 'post_gone: https://www.tiktok.com/… no answer for https://www.tiktok.com/…',
  });
  expect(serialized.stack).toContain('logger.test.ts');
  expect(serialized.stack).toContain('caused by: Error: no answer');
  const several = new AggregateError([new Failure('post_gone', { link })], 'two ways');
  const text = JSON.stringify([serialized, serializeError(several)]);
  for (const trace of ['some.one', '7301234567890123456', 'otherLink']) expect(text).not.toContain(trace);
  expect(text).toContain('two ways');
});

test('sent text makes no long line', () => {
  for (const thrown of Object.values(errorsWith(35_000)))
    expect(JSON.stringify(serializeError(thrown)).length).toBeLessThan(80_000);
});

test('writes what is not an error unchanged', () => {
  expect(serializeError('a word' as unknown as Error)).toBe('a word');
});

test('writes three levels of what an error carries, and thirty entries of each', () => {
  const many = Array.from({ length: 31 }, (_, n) => n);
  const fields = {
    many,
    named: Object.fromEntries(many.map((n) => [`n${n}`, n])),
    deep: { a: { b: { c: {} } } },
  };
  const {
    many: list,
    named,
    deep,
  } = serializeError(Object.assign(new Error('no'), fields)) as never as typeof fields;
  expect([list.length, Object.keys(named).length]).toEqual([30, 30]);
  expect(deep).toEqual({ a: { b: { c: '…' } } });
});
