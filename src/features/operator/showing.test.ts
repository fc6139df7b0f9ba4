import { expect, test, vi } from 'vitest';
import type { DeskPage } from '../../server/desk/desk-page.ts';
import type { DeskTools } from './desk-tools.ts';
import { createShowing } from './showing.ts';

const renderDesk = vi.fn(async () => 'html');
const pages: readonly DeskPage[] = ['now', 'use'].map((name) => ({
  ...{ name, section: 'Do', title: name },
  load: async () => null,
}));
const tools = {
  parts: { site: { renderDesk }, configuration: { brand: 'site.example' } },
  operators: { areNamed: false },
};

test('whoever asks for log-in pages without end has each rendered once', async () => {
  const show = createShowing(tools as unknown as DeskTools, pages);
  for (let round = 0; round < 20; round += 1)
    for (const to of ['', 'now', 'use', `made-up-${round}`])
      for (const problem of ['wrong', 'limited', null] as const) await show.logIn(to, problem);
  expect(renderDesk).toHaveBeenCalledTimes(9);
});
