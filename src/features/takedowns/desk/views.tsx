import {
  ActionButton,
  ActionForm,
  DataTable,
  Field,
  Pager,
  Section,
  Submit,
  TextField,
  Time,
} from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { TakedownsData } from './page.ts';

const End = ({ at }: { at: number | null }) => (at === null ? 'for good' : <Time at={at} />);

/** Posts and authors that are not to be had here. */
function TakedownsView({ data: { present, log, before } }: { data: TakedownsData }) {
  return (
    <>
      <p>The site blocks what you take down within a second or two, and stops running downloads of it.</p>
      <Section title="Take down">
        <ActionForm action="add">
          <TextField
            name="links"
            label="Links of posts or authors"
            hint="One on each line."
            rows={3}
            maxLength={10_000}
            required
          />
          <TextField
            name="reason"
            label="Reason"
            hint="For the log below: whose notice, which law. Visitors do not see it."
            rows={3}
            maxLength={1000}
            required
          />
          <Field
            name="days"
            label="Days until it ends"
            hint="Empty: for good."
            inputMode="numeric"
            pattern="[1-9][0-9]{0,4}"
          />
          <Submit>Take down</Submit>
        </ActionForm>
      </Section>
      <Section title="Taken down now">
        <DataTable
          caption="Taken down now"
          empty="Nothing is taken down."
          rows={present}
          keyOf={({ kind, name }) => `${kind} ${name}`}
          columns={[
            { title: 'What', cell: ({ kind, name }) => `${kind} ${name}` },
            { title: 'Reason', cell: ({ reason }) => <bdi>{reason || '–'}</bdi> },
            { title: 'Since', cell: ({ madeAt }) => <Time at={madeAt} /> },
            { title: 'Until', cell: ({ endsAt }) => <End at={endsAt} /> },
            {
              title: 'Lift',
              cell: ({ kind, name }) => (
                <ActionButton action="lift" values={{ kind, name }}>
                  Lift
                </ActionButton>
              ),
            },
          ]}
        />
      </Section>
      <Section title="Log for the law">
        <p>Everything that was taken down and lifted, by the desk or by commands. Kept for ten years.</p>
        <DataTable
          caption="Log for the law"
          empty="Nothing was ever taken down."
          rows={log}
          keyOf={({ id }) => id}
          columns={[
            { title: 'When', cell: ({ madeAt }) => <Time at={madeAt} /> },
            { title: 'Action', cell: ({ action }) => action },
            { title: 'What', cell: ({ kind, name }) => `${kind} ${name}` },
            { title: 'Link', cell: ({ url }) => <bdi>{url}</bdi> },
            { title: 'Reason', cell: ({ reason }) => <bdi>{reason || '–'}</bdi> },
            { title: 'Until', cell: ({ endsAt }) => <End at={endsAt} /> },
          ]}
        />
        <Pager before={before} />
      </Section>
    </>
  );
}

export default { takedowns: TakedownsView } satisfies DeskViews;
