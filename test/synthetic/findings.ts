/**
 * What a synthetic inspection finds, at about the national out-of-service rates SAFER prints (vehicle
 * 22.26 %, driver 6.67 %, hazmat 4.44 %).
 *
 * @module
 */

import type { Random } from "./random.ts";

/** Violations of one kind, and how many of them put out of service. */
export interface KindFindings {
  violations: number;
  outOfService: number;
}

/** The eight totals of an inspection. */
export interface Findings {
  violations: number;
  outOfService: number;
  driver: KindFindings;
  vehicle: KindFindings;
  hazmat: KindFindings;
}

const VEHICLE_LEVELS = "1256";
const DRIVER_LEVELS = "1236";
const NATIONAL = { vehicle: 0.2226, driver: 0.0667, hazmat: 0.0444 } as const;

/** Draws the totals. `lean` multiplies the national rates, `hazmat` says whether hazmat was on board. */
export function drawFindings(
  random: Random,
  about: { level: string; hazmat: boolean; lean: number },
): Findings {
  const { level, lean } = about;
  const looksAt = (levels: string): boolean => level.length === 1 && levels.includes(level);
  const none = { violations: 0, outOfService: 0 };
  const vehicle = looksAt(VEHICLE_LEVELS) ? draw(random, NATIONAL.vehicle * lean) : { ...none };
  const driver = looksAt(DRIVER_LEVELS) ? draw(random, NATIONAL.driver * lean) : { ...none };
  const hazmat = about.hazmat ? draw(random, NATIONAL.hazmat * lean) : { ...none };
  let violations = vehicle.violations + driver.violations + hazmat.violations;
  const outOfService = vehicle.outOfService + driver.outOfService + hazmat.outOfService;
  // The real file has totals over empty parts (inspection 82915718), and OOS without a violation.
  if (random.chance(0.012)) violations += 1 + random.below(4);
  if (vehicle.outOfService > 0 && random.chance(0.002)) vehicle.violations = 0;
  return { violations, outOfService, driver, vehicle, hazmat };
}

function draw(random: Random, rate: number): KindFindings {
  if (random.chance(Math.min(0.95, rate))) {
    const outOfService = 1 + (random.chance(0.3) ? random.below(3) : 0);
    return { violations: outOfService + random.below(4), outOfService };
  }
  return { violations: random.chance(0.3 + rate / 2) ? 1 + random.below(3) : 0, outOfService: 0 };
}
