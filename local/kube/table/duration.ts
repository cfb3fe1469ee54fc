// Ages as kubectl prints them: the two largest units while the number is small, one unit later on.
import { parseTimestamp } from "../json.ts";

const secondMs = 1000;
const minuteSeconds = 60;
const hourSeconds = 3600;
const daySeconds = 86_400;
const yearDays = 365;

function two(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first}${firstUnit}` : `${first}${firstUnit}${second}${secondUnit}`;
}

/** The thresholds are those of apimachinery's duration.HumanDuration. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / secondMs);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * minuteSeconds) return `${seconds}s`;
  const minutes = Math.floor(seconds / minuteSeconds);
  if (minutes < 10) return two(minutes, "m", seconds % minuteSeconds, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / hourSeconds);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(seconds / daySeconds);
  if (days < 8) return two(days, "d", hours % 24, "h");
  if (days < 2 * yearDays) return `${days}d`;
  const years = Math.floor(days / yearDays);
  return years < 8 ? two(years, "y", days % yearDays, "d") : `${years}y`;
}

/** How long ago a time was, "<unknown>" without one. */
export function ageText(time: string | undefined, nowMs: number): string {
  const then = parseTimestamp(time);
  return then === undefined ? "<unknown>" : durationText(nowMs - then);
}
