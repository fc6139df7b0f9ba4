import { ActionButton, Badge, DataTable, Facts, Time } from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import { roomText } from '../../../server/desk/texts.ts';
import type { BackupsData } from './page.ts';

/** The archives that there are, and how backups ended. */
function BackupsView({ data: { archives, problem, place, rule, runs, last } }: { data: BackupsData }) {
  return (
    <>
      {problem !== null && (
        <p className="desk-notice" data-kind="failed">
          {place} cannot be read: {problem}
        </p>
      )}
      <Facts
        facts={[
          ['Last one', last === null ? 'none yet' : <Time key="last" at={last.began_at} />],
          ['Place', place],
          ['Archives', archives],
          ['Made', 'each night at 3:17 by the clock of the machine; after a failure again each hour'],
          ['Kept', `the newest of ${rule.days} days, ${rule.weeks} weeks and ${rule.months} months`],
        ]}
      />
      <ActionButton action="make">Back up now</ActionButton>
      <DataTable
        caption="Backups"
        empty="None was made yet."
        rows={runs}
        keyOf={({ name }) => name}
        columns={[
          { title: 'When', cell: ({ began_at }) => <Time at={began_at} /> },
          {
            title: 'Outcome',
            cell: ({ name, failure }) => (
              <>
                <Badge kind={failure === null ? 'good' : 'bad'}>{failure === null ? 'made' : 'failed'}</Badge>{' '}
                {failure ?? name}
              </>
            ),
          },
          { title: 'Size', isNumber: true, cell: ({ bytes }) => (bytes === null ? '–' : roomText(bytes)) },
          {
            title: 'Took',
            isNumber: true,
            cell: ({ began_at, ended_at }) => `${((ended_at - began_at) / 1000).toFixed(1)} s`,
          },
        ]}
      />
    </>
  );
}

export default { backups: BackupsView } satisfies DeskViews;
