// A small task completion service, in memory. Workers are assigned tasks under a lease,
// write artifacts, have them verified, and ask for the completion to be recorded.
//
// Every method runs to its end before another one starts: what a method does is one step.
// In a service with a database, such a step is a transaction.

import { createHash } from "node:crypto";

/** The SHA-256 of a text, by which artifacts and contracts are named. */
export function digest(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** What a checker asks of an output, given the input that it was made from. */
const checkers = {
  doubles: (output, input) => Number(output) === 2 * input,
  "is-integer": (output) => Number.isInteger(Number(output)),
};

export class Service {
  tasks = new Map(); // by id
  grants = new Set(); // principals that may complete tasks
  input = { value: 21, revision: 1 };
  artifact = "draft\n"; // the working artifact, which anybody can write
  policy = "behavior-v1"; // the default for new tasks
  verifications = new Map(); // the checker's receipts, by id; workers can only cite them
  completions = new Map(); // the requests that were accepted, by request id
  approved = new Set(); // request ids that passed preflight, for the split way

  // Tasks and who works on them

  createTask(id, specification) {
    const contract = digest(specification);
    this.tasks.set(id, { id, contract, policy: this.policy, checker: "doubles", attempt: null, status: "running", receipts: [] });
  }

  /** Gives a task to a worker: a new attempt, with a higher fence and a live lease. */
  assign(taskId, principal) {
    const task = this.tasks.get(taskId);
    const fence = (task.attempt?.fence ?? 0) + 1;
    task.attempt = { id: `${taskId}/attempt-${fence}`, principal, fence, leaseLive: true };
    return { ...task.attempt, task: task.id, contract: task.contract };
  }

  expireLease(taskId) {
    this.tasks.get(taskId).attempt.leaseLive = false;
  }

  // The world around them

  publishInput(value) {
    this.input = { value, revision: this.input.revision + 1 };
  }

  /** Has the task's checker look at the artifact as it is now, and keeps what it saw. */
  verify(taskId, input) {
    const task = this.tasks.get(taskId);
    const id = `verification-${this.verifications.size + 1}`;
    const passed = checkers[task.checker](this.artifact, input.value);
    this.verifications.set(id, { task: taskId, digest: digest(this.artifact), passed });
    return id;
  }

  // Completion

  /** The first obligation that a completion request fails, or null. */
  #failing(request) {
    const task = this.tasks.get(request.task);
    if (!task || request.contract !== task.contract) return "contract";
    const { attempt } = task;
    if (request.attempt !== attempt.id || request.principal !== attempt.principal) return "attempt";
    if (request.fence !== attempt.fence) return "fence";
    if (!attempt.leaseLive) return "lease";
    if (!this.grants.has(request.principal)) return "grant";
    if (request.inputRevision !== this.input.revision) return "inputs";
    if (request.candidate !== digest(this.artifact)) return "artifact";
    const seen = this.verifications.get(request.verification);
    if (!seen?.passed || seen.task !== task.id || seen.digest !== request.candidate) return "evidence";
    return null;
  }

  /** The answer to a request whose id or task was completed before, or null. */
  #answered(request) {
    const before = this.completions.get(request.id);
    if (before) {
      // The whole request is compared: another one under the same id is another request.
      return before.body === JSON.stringify(request) ? { receipt: before.receipt } : { refusal: "request id was used" };
    }
    return this.tasks.get(request.task)?.status === "completed" ? { refusal: "task is completed" } : null;
  }

  #record(request) {
    const task = this.tasks.get(request.task);
    const receipt = `${task.id}/completion-${task.receipts.length + 1}`;
    task.status = "completed";
    task.receipts.push(receipt);
    this.completions.set(request.id, { body: JSON.stringify(request), receipt });
    return { receipt };
  }

  /** The right way: everything is looked at, and recorded, in one step. */
  complete(request) {
    const answer = this.#answered(request);
    if (answer) return answer;
    const refusal = this.#failing(request);
    return refusal ? { refusal } : this.#record(request);
  }

  /** Says what would be answered now, and promises nothing. */
  wouldRefuse(request) {
    return this.#failing(request);
  }

  /** The split way, first half: look, and remember that all was well. */
  preflight(request) {
    if (this.#failing(request) === null) this.approved.add(request.id);
    else this.approved.delete(request.id);
  }

  /** The split way, second half: record what passed preflight, without looking again. */
  completeApproved(request) {
    const answer = this.#answered(request);
    if (answer) return answer;
    return this.approved.has(request.id) ? this.#record(request) : { refusal: "preflight" };
  }

  /** Everything that the service holds, as text. */
  dump() {
    return JSON.stringify(this, (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value));
  }
}
