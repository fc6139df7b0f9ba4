import { asFailure } from '../../src/failures/failures.ts';
import { type SimulatedInstance, simulateInstances } from './instances.ts';
import { isThere, postId } from './platform.ts';
import { createAnswers } from './rules/answers.ts';
import type { Report, Violation } from './rules/violations.ts';
import { drawScenario, type Scenario } from './scenario.ts';
import { methods } from './strategies.ts';
import { type VirtualTime, withVirtualTime } from './virtual-time.ts';
import { type Outcomes, simulateVisitors } from './visitors.ts';

/** The result of one seed. */
export interface Run {
  readonly scenario: Scenario;
  readonly violations: readonly Violation[];
  readonly outcomes: Outcomes;
  /** Visitors' questions, readings of posts, conversions. */
  readonly questions: number;
  readonly readings: number;
  readonly conversions: number;
  readonly openings: number;
  readonly trials: number;
  /** The longest waits for a post and for a start, in ms. */
  readonly longestAnswerMs: number;
  readonly longestTurnMs: number;
  /** Maximum requests by one strategy in a second, and the limit at that time. */
  readonly mostRequests: number;
  readonly allowedRequests: number;
}

/** Time after the end at which every trouble is over and every open breaker is due for a trial, in ms. */
const quietMs = 600_000;
/** Grace period of a stopped instance, in ms. */
const graceMs = 10_000;
/** Posts that no visitor requests. */
const firstUnusedPost = 1000;

/** Runs one seed from its first visitor to its end. */
export function simulate(seed: number): Promise<Run> {
  const scenario = drawScenario(
    seed,
    methods.strategies.map(({ name }) => name).concat(methods.explainer.name),
  );
  return withVirtualTime((time) => runScenario(scenario, time));
}

async function runScenario(scenario: Scenario, time: VirtualTime): Promise<Run> {
  const violations: Violation[] = [];
  const report = (rule: string, what: string) => void violations.push({ rule, atMs: time.now(), what });
  const all = simulateInstances(scenario, time, report);
  const answers = createAnswers(time.now, report);
  let known = all;
  const outcomes = simulateVisitors({ scenario, time, answers, instances: () => known });
  const { stopped } = scenario;
  if (stopped !== null)
    time.after(stopped.atMs, () => {
      const goes = all[stopped.instance];
      // The balancer sends no visitors there any more, unless there is no other instance.
      if (all.length > 1) known = all.filter((one) => one !== goes);
      const grace = new AbortController();
      time.after(graceMs, () => grace.abort());
      void goes?.conversions.close(grace.signal);
    });
  await time.run();
  answers.end();
  for (const { turns } of all) turns.end();
  await checkRecovery(scenario, all, time, report);
  await checkNothingLeft(all, time, report);

  const groups = [...new Set(all.map(({ group }) => group))];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const most = groups
    .map(({ rules }) => rules.storms.most)
    .reduce((one, other) => (other.requests > one.requests ? other : one));
  return {
    scenario,
    violations,
    outcomes,
    questions: answers.count,
    readings: sum(groups.map(({ rules }) => rules.readings.count)),
    conversions: sum(all.map(({ turns }) => turns.count)),
    openings: sum(groups.map(({ rules }) => rules.breakers.openings)),
    trials: sum(groups.map(({ rules }) => rules.breakers.trials)),
    longestAnswerMs: answers.longestMs,
    longestTurnMs: Math.max(...all.map(({ turns }) => turns.longestMs)),
    mostRequests: most.requests,
    allowedRequests: most.allowed,
  };
}

/** After all troubles, every instance reads posts by the first strategy. */
async function checkRecovery(
  { seed }: Scenario,
  instances: readonly SimulatedInstance[],
  time: VirtualTime,
  report: Report,
): Promise<void> {
  await time.run(time.now() + quietMs);
  let number = firstUnusedPost;
  for (const { name, resolver } of instances) {
    while (!isThere(seed, postId(number))) number += 1;
    const id = postId(number);
    number += 1;
    const reading = resolver.resolve({ platform: 'tiktok', id }, new AbortController().signal).then(
      ({ readBy }) => readBy,
      (thrown) => asFailure(thrown).key,
    );
    await time.run();
    const readBy = await reading;
    if (readBy !== methods.strategies[0]?.name)
      report('recovery', `${name}: after all trouble a post was read by ${readBy}`);
  }
}

/** After all visitors have left, nothing runs, waits or is open. */
async function checkNothingLeft(
  instances: readonly SimulatedInstance[],
  time: VirtualTime,
  report: Report,
): Promise<void> {
  for (const { name, conversions, group } of instances) {
    let isClosed = false;
    void conversions.close().then(() => {
      isClosed = true;
    });
    await time.run();
    if (!isClosed) report('nothing left', `${name} cannot be closed`);
    const { openDrafts, openFiles } = group.fileStore;
    if (openDrafts + openFiles > 0)
      report('nothing left', `${name}: ${openDrafts} drafts and ${openFiles} files are open`);
  }
  if (time.pending > 0) report('nothing left', `${time.pending} timers`);
}
