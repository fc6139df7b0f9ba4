import { expect, test } from 'vitest';
import { visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

test('on a slow device, a link counts that is sent while the address still follows the last result', {
  timeout: 300_000,
}, async () => {
  const page = await visits.open('/ar');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  const unanswered = await page.evaluate(async (link) => {
    const field = document.querySelector<HTMLInputElement>('#link');
    const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const until = async (condition: () => boolean) => {
      for (let tries = 0; tries < 2000 && !condition(); tries += 1) await later(4);
      return condition();
    };
    const submit = (text: string) => {
      if (field === null) return;
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.form?.requestSubmit();
    };
    const missed: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      submit(link);
      if (!(await until(() => location.search.includes('url=')))) missed.push(`result ${round}`);
      await later(round * 4);
      submit('no link');
      if (!(await until(() => document.querySelector('#tool-failure') !== null)))
        missed.push(`failure ${round}`);
    }
    return missed;
  }, visits.journey.platform.link('ordinary'));
  expect(unanswered).toEqual([]);
});
