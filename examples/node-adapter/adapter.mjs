// The conformance kit's adapter for service.mjs: it reads requests from standard input and
// answers them on standard output, as PROTOCOL.md says.
//
//     node adapter.mjs [right|split]

import { createInterface } from "node:readline";
import { Service, digest } from "./service.mjs";

const task = "task-1";

/** The service at the start of a scenario, and worker A, whose request is decided. */
class Scenario {
  constructor(way) {
    this.way = way;
    this.service = new Service();
    this.service.createTask(task, "double the input");
    this.service.createTask("task-2", "halve the input");
    this.service.assign("task-2", "worker-b");
    for (const worker of ["worker-a", "worker-b"]) this.service.grants.add(worker);
    this.assignment = this.service.assign(task, "worker-a"); // A keeps it, whatever happens
    this.altered = {}; // what A's request says instead, in the directed controls
  }

  /** A's completion request, of what it has now. */
  request() {
    const { contract, id: attempt, principal, fence } = this.assignment;
    const inputRevision = this.read?.revision;
    const candidate = digest(this.candidate ?? "");
    const request = { id: "request-1", task, contract, attempt, principal, fence, inputRevision, candidate, verification: this.verification };
    return { ...request, ...this.altered };
  }

  submit(request) {
    return this.way === "right" ? this.service.complete(request) : this.service.completeApproved(request);
  }

  prepare(output) {
    this.candidate = output;
    this.service.artifact = output;
  }

  verify() {
    this.verification = this.service.verify(task, this.read);
  }

  events = {
    read: () => (this.read = { ...this.service.input }),
    candidate: () => this.prepare(String(2 * this.read.value)),
    "trusted-verify": () => this.verify(),
    preflight: () => {
      if (this.way === "right") this.service.wouldRefuse(this.request());
      else this.service.preflight(this.request());
    },
    "input-edit": () => this.service.publishInput(this.service.input.value + 1),
    "artifact-edit": () => (this.service.artifact = "written over\n"),
    "lease-expire": () => this.service.expireLease(task),
    reassign: () => this.service.assign(task, "worker-b"),
    revoke: () => this.service.grants.delete("worker-a"),
    "publish-behavior-v2": () => (this.service.policy = "behavior-v2"),

    // The directed controls
    "forged-receipt": () => (this.altered.verification = "verification-99"),
    "other-candidate": () => {
      // Other bytes pass as well, and the artifact is A's candidate again afterwards.
      this.service.artifact = this.candidate + "\n";
      this.verify();
      this.service.artifact = this.candidate;
    },
    "other-digest": () => (this.service.verifications.get(this.verification).digest = digest("something else")),
    "other-task": () => (this.altered.task = "task-2"),
    "other-contract": () => (this.altered.contract = digest("something else")),
    "checker-rejected": () => {
      this.prepare("999");
      this.verify();
    },
    "inadequate-checker": () => {
      this.service.tasks.get(task).checker = "is-integer";
      this.prepare("999");
      this.verify();
    },
  };

  submissions = {
    commit: () => (this.sent = this.request()),
    retry: () => this.sent,
    "retry-other": () => ({ ...this.sent, candidate: digest("never verified") }),
  };

  recorded() {
    const { status, receipts } = this.service.tasks.get(task);
    return { receipts, status, state: this.service.dump() };
  }
}

/** The fields that each request has beside id and do. */
const fields = { hello: ["protocol"], reset: [], apply: ["event"], submit: ["event"], recorded: [] };

class Adapter {
  constructor(way) {
    this.way = way;
    this.scenario = new Scenario(way);
    this.events = [...Object.keys(this.scenario.events), ...Object.keys(this.scenario.submissions)];
  }

  /** What to answer beside the id. Whatever is thrown is why the adapter can't go on. */
  answer({ id, do: what, ...rest }) {
    const given = Object.keys(rest).join(", ");
    if (!Object.hasOwn(fields, what)) throw new Error(`can't do ${JSON.stringify(what)}`);
    if (given !== fields[what].join(", ")) throw new Error(`${what} has the fields "${given}", not "${fields[what]}"`);
    return this[what](rest.event);
  }

  hello() {
    return { protocol: "commitpoint/conformance/v1", name: `node, ${this.way}`, events: this.events, parallel: true };
  }

  reset() {
    this.scenario = new Scenario(this.way);
  }

  apply(event) {
    pick(this.scenario.events, event)();
  }

  submit(event) {
    const { receipt, refusal } = this.scenario.submit(pick(this.scenario.submissions, event)());
    return receipt ? { accepted: true, receipt } : { accepted: false, refusal };
  }

  recorded() {
    return this.scenario.recorded();
  }
}

function pick(table, name) {
  if (!Object.hasOwn(table, name)) throw new Error(`there is no event ${JSON.stringify(name)} here`);
  return table[name];
}

const [way = "right", ...others] = process.argv.slice(2);
if (!["right", "split"].includes(way) || others.length > 0) {
  process.stderr.write("node adapter.mjs: give right or split, or nothing for right\n");
  process.exit(2);
}
const adapter = new Adapter(way);
createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const request = JSON.parse(line); // what is no request ends the adapter
  let answer;
  try {
    answer = adapter.answer(request);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    answer = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify({ id: request.id, ...answer })}\n`);
});
