import { z } from 'zod';
import type { Action, DeskPage } from '../../../server/desk/desk-page.ts';
import { listModules } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { programOf, promotionOf } from '../configuration/promotion.ts';
import { type PromotionSwitches, promotionKinds } from '../switches.ts';

interface PromotionsPageParts {
  readonly configuration: SiteConfiguration;
  readonly switches: Pick<PromotionSwitches, 'isOff' | 'set' | 'refresh'>;
  /** Has this instance do at once what a switch means. */
  look(): Promise<void>;
}

const switchForm = z.object({ kind: z.enum(promotionKinds) });

/** The page that switches kinds of promotion off and on, without a restart. */
export function promotionsPage({ configuration, switches, look }: PromotionsPageParts) {
  const { items, share_config } = promotionOf(configuration);
  const cards = items.filter(({ place }) => place === 'card').length;
  const programs = listModules(configuration).filter((module) => programOf(module, configuration)).length;
  /** How many of each kind the site configuration has. */
  const counts = { ads: items.length - cards, cards, share: share_config === null ? 0 : 1, programs };

  const switchTo =
    (isOn: boolean): Action =>
    async ({ form }) => {
      const { kind } = switchForm.parse(Object.fromEntries(form));
      await switches.set(kind, isOn);
      await look();
      const text = `It is ${isOn ? 'on' : 'off'}, on all instances within a second or two.`;
      return { outcome: 'done', object: kind, text };
    };

  return {
    name: 'promotions',
    section: 'Do',
    title: 'Promotions',
    async load() {
      await look();
      return {
        kinds: promotionKinds.map((kind) => ({ kind, count: counts[kind], isOn: !switches.isOff(kind) })),
      };
    },
    actions: { on: switchTo(true), off: switchTo(false) },
  } satisfies DeskPage;
}

export type PromotionsData = NonNullable<Awaited<ReturnType<ReturnType<typeof promotionsPage>['load']>>>;
