import { ActionButton, Badge, DataTable, Pager, Section, Time } from '../../../server/desk/components.tsx';
import type { LogData } from './page.ts';

const kinds = { done: 'good', refused: 'plain', failed: 'bad', begun: 'bad' } as const;
const dayMs = 86_400_000;

/** Every action of the desk, and log-ins that failed. */
export function LogView({ data: { entries, before, tries, sessions } }: { data: LogData }) {
  return (
    <>
      <p>
        What was done at this desk, and from where. Entries are deleted after two years, and by nothing else.
      </p>
      <DataTable
        caption="Actions"
        empty="Nothing was done yet."
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'Action', cell: ({ what, object }) => `${what}${object === '' ? '' : `: ${object}`}` },
          {
            title: 'Outcome',
            cell: ({ outcome, text }) => (
              <>
                <Badge kind={kinds[outcome]}>{outcome}</Badge> {text}
              </>
            ),
          },
          {
            title: 'By',
            cell: ({ operator, block }) => [operator, block].filter((part) => part !== '').join(' from '),
          },
          { title: 'Instance', cell: ({ instance }) => instance },
        ]}
      />
      <Pager before={before} />
      <Section title="Sessions">
        <p>
          {sessions === 1 ? 'Only this session lasts.' : `${sessions} sessions last, this one included.`} Each
          ends 12 hours after its log-in. A new password ends the sessions of its operator, and their devices
          are no longer remembered.
        </p>
        <ActionButton action="end-sessions">Log out everywhere</ActionButton>
      </Section>
      <Section title="Log-ins that failed">
        <DataTable
          caption="Log-ins that failed"
          empty="None within 90 days."
          rows={tries}
          keyOf={({ day, block }) => `${day} ${block}`}
          columns={[
            { title: 'Day', cell: ({ day }) => new Date(day * dayMs).toISOString().slice(0, 10) },
            { title: 'From', cell: ({ block }) => block },
            { title: 'Wrong', isNumber: true, cell: ({ failed }) => failed },
            { title: 'Refused unread', isNumber: true, cell: ({ limited }) => limited },
            { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
          ]}
        />
      </Section>
    </>
  );
}
