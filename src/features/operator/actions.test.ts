import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { DeskPage } from '../../server/desk/desk-page.ts';
import { createActions } from './actions.ts';

const log = { add: async () => 1, end: vi.fn(async () => {}) };
const error = vi.fn();
const doAction = createActions(log, { error });
const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};
const page: DeskPage = {
  ...{ name: 'page', section: 'Do', title: 'Page' },
  load: async () => null,
  actions: {
    async choose({ form }) {
      z.object({ kind: z.enum(['ads', 'cards']), day: z.coerce.number() }).parse(Object.fromEntries(form));
      return { outcome: 'done', object: '', text: 'a'.repeat(100_000) };
    },
  },
};
const outcomeOf = async (fields: Record<string, string>) => {
  const asked = { parts: [], query: new URLSearchParams(), signal: new AbortController().signal, file: null };
  return (await doAction(page, { ...asked, form: formOf(fields) }, { operator: '', block: '' })).outcome;
};

test('a value that the form does not have is refused in one sentence', async () => {
  expect(await outcomeOf({ action: 'choose', kind: 'dancers', day: 'x' })).toEqual({
    outcome: 'refused',
    object: '',
    text: 'Nothing was done: what the form says for "kind", "day" is none of its values.',
  });
  expect(error).not.toHaveBeenCalled();
});

test('what an action says is bounded', async () => {
  const { text } = await outcomeOf({ action: 'choose', kind: 'ads', day: '1' });
  expect(text).toHaveLength(1000);
});
