export { type OtelObserverOptions, otelObserver } from "./otel-observer.js";
