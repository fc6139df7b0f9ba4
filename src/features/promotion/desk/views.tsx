import { ActionButton, Badge, DataTable } from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { PromotionsData } from './page.ts';

type Kind = PromotionsData['kinds'][number]['kind'];

const names: Readonly<Record<Kind, string>> = {
  ads: 'Ads',
  cards: 'Cards',
  share: 'Share bar',
  programs: 'Dialogs of desktop programs',
};

function Switch({ kind, count, isOn }: PromotionsData['kinds'][number]) {
  if (count === 0) return '–';
  return (
    <ActionButton action={isOn ? 'off' : 'on'} values={{ kind }}>
      {`Switch ${names[kind].toLowerCase()} ${isOn ? 'off' : 'on'}`}
    </ActionButton>
  );
}

/** The kinds of promotion, each with its switch. */
function PromotionsView({ data: { kinds } }: { data: PromotionsData }) {
  return (
    <>
      <p>
        What the site configuration promotes. What is off stays off until it is switched on again, also after
        a restart. Pages in the cache are dropped.
      </p>
      <DataTable
        caption="Promotions"
        empty=""
        rows={kinds}
        keyOf={({ kind }) => kind}
        columns={[
          { title: 'What', cell: ({ kind }) => names[kind] },
          { title: 'Configured', isNumber: true, cell: ({ count }) => count },
          {
            title: 'State',
            cell: ({ count, isOn }) => {
              if (count === 0) return <Badge kind="plain">not configured</Badge>;
              return <Badge kind={isOn ? 'good' : 'bad'}>{isOn ? 'on' : 'off'}</Badge>;
            },
          },
          { title: 'Switch', cell: (one) => <Switch {...one} /> },
        ]}
      />
    </>
  );
}

export default { promotions: PromotionsView } satisfies DeskViews;
