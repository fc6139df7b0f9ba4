import { ActionButton, Badge } from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { PromotionsData } from './page.ts';

/** The switch of all promotion. */
function PromotionsView({ data: { isOn } }: { data: PromotionsData }) {
  return (
    <>
      <p>
        Ads, cards, the share bar and the dialogs of programs, as the site configuration has them. Off stays
        off until it is switched on again, also after a restart. Pages in the cache are dropped.
      </p>
      <p>
        Promotions are <Badge kind={isOn ? 'good' : 'bad'}>{isOn ? 'on' : 'off'}</Badge>
      </p>
      <ActionButton action={isOn ? 'off' : 'on'}>{`Switch promotions ${isOn ? 'off' : 'on'}`}</ActionButton>
    </>
  );
}

export default { promotions: PromotionsView } satisfies DeskViews;
