import { useFixture } from '../fixture/use-fixture.ts';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.ts';

/** Runs the service for the tests of a file, or of the `describe` it stands in. Options may depend on earlier hooks. */
export function useTestService(
  options: TestServiceOptions | (() => TestServiceOptions | Promise<TestServiceOptions>) = {},
): TestService {
  const open = async () => startTestService(typeof options === 'function' ? await options() : options);
  return useFixture(open, { close: (service) => service.stop() });
}
