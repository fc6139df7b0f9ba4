import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readUploads, storedPayload } from './report.ts';

function read(data: object) {
  const found = readUploads({ upload_id: randomUUID(), mode: 'event', data: { event: 'download', ...data } });
  return 'wrongKey' in found ? found.wrongKey : storedPayload(found.uploads[0]?.data ?? {});
}

const long = 'x'.repeat(1900);

test('shortens addresses and removes their query', () => {
  const kept = read({
    url: `https://clipferry.example/${long}?q`,
    event_target: { url: `/mlink/download.php?pid=1#${long}`, fullurl: `https://clipferry.example/${long}` },
    install: { download_url: `https://clipferry.example/${long}` },
  });
  const cut = `https://clipferry.example/${long}`.slice(0, 300);
  expect(kept).toEqual({
    event: 'download',
    url: cut,
    event_target: { url: '/mlink/download.php', fullurl: cut },
    install: { download_url: cut },
  });
});

test.each([
  [{ pids: ['1', '2', '3', '4', '5', '6'] }, 'data.pids'],
  [{ pids: ['x'.repeat(61)] }, 'data.pids'],
  [{ install: { package_name: 'x'.repeat(101) } }, 'data.install.package_name'],
  [{ install: { pid: 'x'.repeat(61) } }, 'data.install.pid'],
  [{ event_target: { url: 'x'.repeat(2001) } }, 'data.event_target.url'],
])('refuses what no browser sends: %#', (data, place) => {
  expect(String(read(data)).startsWith(place)).toBe(true);
});

test('the largest accepted report is stored in a few kilobytes', () => {
  const trial = { key: 'x'.repeat(60), value: 'x'.repeat(60), version: 'x'.repeat(60), expire_day: 10_000 };
  const kept = read({
    url: `https://clipferry.example/${long}`,
    referer_url: `https://${long}/`,
    event: 'x'.repeat(60),
    event_category: 'x'.repeat(60),
    event_label: 'x'.repeat(100),
    event_value: 'x'.repeat(100),
    event_target: { url: long, fullurl: `https://clipferry.example/${long}` },
    pids: Array.from({ length: 5 }, () => 'x'.repeat(60)),
    install: {
      package_name: 'x'.repeat(100),
      app_id: 'x'.repeat(60),
      pid: 'x'.repeat(60),
      download_url: long,
    },
    file: { format: 'x'.repeat(20), option: 'x'.repeat(40), outcome: 'x'.repeat(60) },
  });
  expect(JSON.stringify(kept).length).toBeLessThan(3000);
  expect(JSON.stringify(read({ ab_try_list: Array.from({ length: 20 }, () => trial) })).length).toBeLessThan(
    6000,
  );
});
