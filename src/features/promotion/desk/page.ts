import type { Action, DeskPage } from '../../../server/desk/desk-page.ts';
import type { PromotionSwitch } from '../switch.ts';

/**
 * The page that switches promotion off and on, without a restart.
 * @param look has this instance do at once what the switch means
 */
export function promotionsPage(power: PromotionSwitch, look: () => Promise<void>) {
  const switchTo =
    (isOn: boolean): Action =>
    async () => {
      await power.set(isOn);
      await look();
      const text = `Promotions are ${isOn ? 'on' : 'off'}, on all instances within a second or two.`;
      return { outcome: 'done', object: 'all', text };
    };

  return {
    name: 'promotions',
    section: 'Do',
    title: 'Promotions',
    async load() {
      await look();
      return { isOn: power.isOn() };
    },
    actions: { on: switchTo(true), off: switchTo(false) },
  } satisfies DeskPage;
}

export type PromotionsData = Awaited<ReturnType<ReturnType<typeof promotionsPage>['load']>>;
