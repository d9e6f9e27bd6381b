import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const HOUR_AND_MINUTE = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** Time of day, as the person writes it. @param at Milliseconds since the epoch. */
export function timeOfDay(at: number): string {
  return HOUR_AND_MINUTE.format(at);
}

/** `0:42`. @param ms Milliseconds. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** `1.8 s`, `12 s`, `1 min 12 s`. @param ms Milliseconds. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

/** Time since something began; counts by itself. `since`: milliseconds since the epoch. */
export function Elapsed({ since, format }: { since: number; format: (ms: number) => string }) {
  const text = useSignal(format(Date.now() - since));
  useEffect(() => {
    const tick = (): void => {
      text.value = format(Date.now() - since);
    };
    tick();
    const timer = setInterval(tick, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [since, format]);
  return <span class="num">{text}</span>;
}

/** Whole seconds while something is live: `4 s`. */
export function seconds(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : clock(ms);
}
