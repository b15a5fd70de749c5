export {
  ManualClock,
  type ScriptedAnswer,
  type ScriptedResolver,
  scriptedResolver,
  sequentialIds,
} from "@x/permission-core/testing";
export { type RecordedEvent, type RecordingObserver, recordingObserver } from "./recording-observer.js";
