import { z } from 'zod';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import type { Deed, DeskPage } from '../../../web/desk/desk-page.ts';
import { type PromotionSwitches, promotionKinds } from '../switches.ts';

interface PromotionsPageParts {
  readonly configuration: SiteConfiguration;
  readonly switches: Pick<PromotionSwitches, 'isOff' | 'set' | 'refresh'>;
  /** Has this instance do at once what a switch means. */
  look(): Promise<void>;
}

const switchForm = z.object({ kind: z.enum(promotionKinds) });

/** How many of each kind the site configuration has. */
function countsOf({ promotion: { ads, cards, share }, home, modules }: SiteConfiguration) {
  const { side, bottom, box, recommended, newest } = ads;
  const programs = [home, ...modules.values()].filter(({ productDialog }) => productDialog !== null);
  return {
    ads: [side, bottom, box, recommended, newest].reduce((sum, rules) => sum + rules.length, 0),
    cards: cards.length,
    share: share === null ? 0 : 1,
    programs: programs.length,
  };
}

/** What is promoted, each kind switched off and on without a restart. */
export function promotionsPage({ configuration, switches, look }: PromotionsPageParts) {
  const counts = countsOf(configuration);

  const switchTo =
    (isOn: boolean): Deed =>
    async ({ form }) => {
      const { kind } = switchForm.parse(Object.fromEntries(form));
      await switches.set(kind, isOn);
      await look();
      return {
        outcome: 'done',
        object: kind,
        text: `It is ${isOn ? 'on' : 'off'}, on all instances within a second or two.`,
      };
    };

  return {
    name: 'promotions',
    section: 'Do',
    title: 'Promotions',
    async load({ parts }) {
      if (parts.length > 0) return null;
      await look();
      return {
        kinds: promotionKinds.map((kind) => ({ kind, count: counts[kind], isOn: !switches.isOff(kind) })),
      };
    },
    deeds: { on: switchTo(true), off: switchTo(false) },
  } satisfies DeskPage;
}

export type PromotionsData = NonNullable<Awaited<ReturnType<ReturnType<typeof promotionsPage>['load']>>>;
