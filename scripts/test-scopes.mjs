// Preloaded (`node --import`) into every process of tests, before it loads `node:test`.
// The test runner must know to which test a call of `test`, `after`, or a thrown error belongs. Node's own way is an
// async hook that runs for each promise and each timer of the process. It takes a third of the CPU time of a test that
// calls the service. This module gives the runner the same answer from an AsyncLocalStorage, which costs almost nothing.
import asyncHooks, { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** The id of the test in which the current code runs. */
const running = new AsyncLocalStorage();
/** The runner's callback, which remembers the test of an id. */
let remember = () => {};

/** The class of which each test of the runner is an instance. */
class TestScope extends AsyncResource {
  constructor(type, options) {
    super(type, options);
    remember(this.asyncId(), type, executionAsyncId(), this);
  }

  runInAsyncScope(work, thisArgument, ...args) {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => Reflect.apply(work, thisArgument, args)));
  }
}

const own = { AsyncResource, createHook, executionAsyncId };
Object.assign(asyncHooks, {
  AsyncResource: TestScope,
  executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  createHook({ init }) {
    remember = init;
    return { enable() {}, disable() {} };
  },
});
// The runner reads the three functions while it loads.
createRequire(import.meta.url)('node:test');
Object.assign(asyncHooks, own);
