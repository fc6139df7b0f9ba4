import type { Browser } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import { openPage, untilScriptsRun } from '../../tests/support/browser.ts';
import type { Journey } from '../../tests/support/journey.ts';
import { refuseCookies, states } from './states.ts';

interface SheetOptions {
  /** Of the windows, in CSS pixels. */
  readonly widths: readonly number[];
  readonly schemes: readonly ('light' | 'dark')[];
  readonly languages: readonly string[];
  /** Whole pages instead of windows. */
  readonly isWhole: boolean;
}

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';

const gap = 24;
/** What a desktop's window is scaled by: phones stay readable beside it. */
const scaleOf = (width: number) => (width > 1000 ? 0.6 : 1);
const heightOf = (width: number) => (width < 600 ? 640 : 900);

/** Makes a sheet of a state: a row for each language and scheme, a column for each width. */
export async function makeSheet(
  browser: Browser,
  journey: Journey,
  name: string,
  file: string,
  { widths, schemes, languages, isWhole }: SheetOptions,
): Promise<void> {
  const placed: OverlayOptions[] = [];
  let [top, right] = [gap, 0];
  for (const language of languages)
    for (const colorScheme of schemes) {
      let [left, bottom] = [gap, top];
      for (const width of widths) {
        const shot = await take(browser, journey, name, { width, language, colorScheme, isWhole });
        const input = await sharp(shot)
          .resize({ width: Math.round(width * scaleOf(width)) })
          .toBuffer({ resolveWithObject: true });
        placed.push({ input: input.data, left, top });
        left += input.info.width + gap;
        bottom = Math.max(bottom, top + input.info.height);
      }
      right = Math.max(right, left);
      top = bottom + gap;
    }
  await sharp({ create: { width: right, height: top, channels: 3, background: '#888888' } })
    .composite(placed)
    .png()
    .toFile(file);
}

interface View {
  readonly width: number;
  readonly language: string;
  readonly colorScheme: 'light' | 'dark';
  readonly isWhole: boolean;
}

async function take(
  browser: Browser,
  journey: Journey,
  name: string,
  { width, language, colorScheme, isWhole }: View,
): Promise<Buffer> {
  const { isAsked, sharesFiles, reach } = states[name] ?? {};
  const { origin } = journey.product;
  const isPhone = width < 600;
  const { page, context } = await openPage(browser, origin, {
    viewport: { width, height: heightOf(width) },
    colorScheme,
    ...(sharesFiles === true && { userAgent: iPhone }),
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  if (isAsked !== true) await refuseCookies(context, origin);
  if (sharesFiles === true)
    await page.addInitScript(() =>
      Object.assign(navigator, { canShare: () => true, share: () => Promise.resolve() }),
    );
  await page.goto(language === 'en' ? '/' : `/${language}`);
  await untilScriptsRun(page);
  await page.locator('.link-box').waitFor();
  await reach?.(page, journey);
  const shot = await page.screenshot({ fullPage: isWhole });
  await context.close();
  return shot;
}
