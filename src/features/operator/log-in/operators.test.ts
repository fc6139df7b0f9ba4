import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Operator, operatorLine, operatorsOfFile, parseOperators } from './operators.ts';

const operator = (name: string, codeKey: string | null = null): Operator => ({
  ...{ name, codeKey, salt: Buffer.alloc(16, name), hash: Buffer.alloc(32, `${name} hash`) },
});
const line = (...given: Parameters<typeof operator>) => operatorLine(operator(...given));
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('lines are read as they were written', () => {
  const names = fc.stringMatching(/^[a-zäж0-9][\w.@-]{0,30}$/u);
  const keys = fc.option(fc.stringMatching(/^[A-Z2-7]{32}$/));
  const one = fc.record({
    name: names,
    codeKey: keys,
    salt: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(one, { selector: ({ name }) => name.normalize('NFC'), minLength: 1 }),
      (given) => {
        const { operators, problems } = parseOperators(`# who\n\n${given.map(operatorLine).join('\r\n')}\n`);
        expect(problems).toEqual([]);
        expect(operators.map(operatorLine)).toEqual(
          given.map((each) => operatorLine({ ...each, name: each.name.normalize('NFC') })),
        );
      },
    ),
  );
});

test('every wrong line is named by its number, without what is secret in it, and lets nobody in', () => {
  const lines = [
    line('anna', key),
    'a password',
    `ben:${key}`,
    `${line('carl')}:${key.slice(0, 8)}`,
    line('anna'),
    `${line('dora', key)}:x`,
  ];
  const { operators, problems } = parseOperators(lines.join('\n'));
  expect(operators.map(({ name }) => name)).toEqual(['anna']);
  expect(problems).toEqual([
    'line 2: begins with no name',
    'line 3: the hash of ben is not one of "operator add"',
    'line 4: the key of carl is not one of "operator add"',
    'line 5: anna has a line already',
    'line 6: the key of dora is not one of "operator add"',
  ]);
  expect(parseOperators('# nobody\n').problems).toEqual(['it names nobody']);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => parseOperators(text).operators.length === 0),
  );
});

test('a change of the file counts at once, and a file that is gone lets nobody in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'operators-'));
  const path = join(folder, 'operators');
  const errors: unknown[] = [];
  const { all } = operatorsOfFile(path, { error: (...said: unknown[]) => void errors.push(said) });
  const names = async () => (await all()).map(({ name }) => name);
  writeFileSync(path, `${line('anna')}\n${line('ben')}\n`);
  expect(await names()).toEqual(['anna', 'ben']);
  writeFileSync(path, `${line('ben')}\nwrong\n`);
  expect(await names()).toEqual(['ben']);
  expect(await names()).toEqual(['ben']);
  expect(errors).toHaveLength(1);
  rmSync(path);
  expect(await names()).toEqual([]);
  expect(await names()).toEqual([]);
  expect(errors).toHaveLength(2);
  writeFileSync(path, `${line('anna')}\n`);
  expect(await names()).toEqual(['anna']);
  rmSync(folder, { recursive: true });
});
