import type { RefObject } from 'react';
import type { RequestingPage } from '../../browser/downloads/resolve-link.ts';
import { useMounted } from '../../browser/mounted.ts';
import type { DownloadButton } from '../../configuration/configuration.ts';
import { useDocument } from '../../document/document-context.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import type { OtherPage } from './files/choose-options.ts';
import type { FileHelp } from './files/file-help.ts';
import { Recent } from './link-box/recent.tsx';
import type { LinkField } from './link-box/use-link-field.ts';
import { Waiting } from './link-box/waiting.tsx';
import { laterOutcome } from './result/later-outcome.ts';
import { laterList } from './state/several-links.tsx';
import type { ToolState } from './state/tool-state.ts';
import type { Actions } from './state/use-actions.ts';

/** What the outcome shows of the page's own data. */
export interface OutcomeTexts {
  /** The page's own path. */
  action: string;
  asking: RequestingPage;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
  help: FileHelp;
}

interface OutcomeAreaProps extends OutcomeTexts {
  state: ToolState;
  actions: Actions;
  field: LinkField;
  area: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  onAnnounce(message: string): void;
}

/** What came of a link: its post's files, a list of posts, or that it is being looked up; and recent links. */
export function OutcomeArea({ state, actions, field, ...props }: OutcomeAreaProps) {
  const isMounted = useMounted();
  const page = useDocument();
  const { onAnnounce } = props;
  return (
    <section
      ref={props.area}
      className="container outcome"
      aria-busy={state.kind === 'resolving'}
      data-keep-clear=""
    >
      {(state.kind === 'ready' || (isMounted && laterOutcome.isLoaded())) && (
        <laterOutcome.Part
          result={state.kind === 'ready' ? state.result : null}
          buttons={props.buttons}
          others={props.others}
          help={props.help}
          anotherHref={props.action}
          heading={props.heading}
          onAnother={actions.startOver}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'list' && (
        <laterList.Part
          key={state.text}
          text={state.text}
          links={state.links}
          action={props.action}
          asking={props.asking}
          buttons={props.buttons}
          onAnother={actions.startOver}
          onAnnounce={onAnnounce}
        />
      )}
      {state.kind === 'resolving' && (
        <Waiting key={state.text} onAnnounce={onAnnounce} onCancel={actions.stop} />
      )}
      {/* Filled by a feature; React renders nothing in it. */}
      {state.kind === 'ready' && <LayoutParts place="below-result" page={page} />}
      <Recent
        shown={state.kind === 'ready' ? state.result.post.url : null}
        onChoose={actions.enter}
        onAnnounce={onAnnounce}
        onEmpty={() => field.focus({ preventScroll: true })}
      />
    </section>
  );
}
