import { Badge, DataTable, Section, Time } from '../../../server/desk/components.tsx';
import type { AlarmsData } from './page.ts';

/** What the operator was told of, and what they would be told of. */
export function AlarmsView({ data: { alarms, waiting, conditions } }: { data: AlarmsData }) {
  return (
    <>
      {waiting > 0 && (
        <p className="desk-notice" data-kind="failed">
          {waiting} messages could not be sent yet; the log says why.
        </p>
      )}
      <DataTable
        caption="Troubles"
        empty="Nobody was told of a trouble yet."
        rows={alarms}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Trouble',
            cell: ({ title, endedAt }) => (
              <>
                {title}{' '}
                <Badge kind={endedAt === null ? 'bad' : 'good'}>{endedAt === null ? 'lasts' : 'over'}</Badge>
              </>
            ),
          },
          { title: 'Found', cell: ({ text }) => text },
          { title: 'Since', cell: ({ since }) => <Time at={since} /> },
          { title: 'Last', cell: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
      <Section title="What is told">
        <DataTable
          caption="Conditions"
          empty="Nothing."
          rows={conditions}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Condition', cell: ({ title }) => title },
            { title: 'After', cell: ({ lastsMs }) => `${lastsMs / 60_000} minutes` },
            { title: 'What to do', cell: ({ advice }) => advice },
          ]}
        />
      </Section>
    </>
  );
}
