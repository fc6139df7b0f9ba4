import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { sample } from '../support/audit/scope.ts';
import { findChromium } from '../support/browser.ts';
import type { RunningProduct } from '../support/product.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let product: RunningProduct;
beforeAll(async () => {
  ({ product } = await sharedJourney());
});

test.each(sample(['/', '/ar'], (path) => path === '/'))(
  'Chromium finds no obstacle to installing the site from %s',
  async (path) => {
    // A browser without its own profile installs nothing.
    const profile = mkdtempSync(join(tmpdir(), 'clipferry-profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const page = await context.newPage();
      await page.goto(product.origin + path);
      const session = await context.newCDPSession(page);
      const { errors, data } = await session.send('Page.getAppManifest');
      expect(errors).toEqual([]);
      expect(JSON.parse(data ?? '{}')).toMatchObject({ short_name: 'Clipferry', id: '/' });
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
      expect(installabilityErrors).toEqual([]);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  },
);
