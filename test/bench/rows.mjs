// What is measured, by the name that the command line takes. Each returns rows of the table:
// `{ name, unit, figures, aim }`, where `figures` has a list for each side, in the order of the rounds.
import {
  measureData,
  measureDeliveries,
  measureExpiries,
  measureGrowth,
  measureResets,
  measureWorlds,
} from './controls.mjs'
import { measureBuild, measurePackage, measureRuns, measureStart } from './programs.mjs'
import { measureRequests } from './requests.mjs'

export const MEASUREMENTS = {
  requests: measureRequests,
  deliveries: measureDeliveries,
  expiries: measureExpiries,
  reset: measureResets,
  start: measureStart,
  run: measureRuns,
  growth: measureGrowth,
  worlds: measureWorlds,
  data: measureData,
  package: measurePackage,
  build: measureBuild,
}
