// Answers PromQL queries on series that are given minute by minute. Reads cases as JSON from stdin and writes, for each, the
// values that its query has.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/tsdb"
)

type series struct {
	Labels map[string]string `json:"labels"`
	// One a minute; null where there was no scrape.
	Values []*float64 `json:"values"`
}

type testCase struct {
	Series   []series `json:"series"`
	Query    string   `json:"query"`
	AtMinute int      `json:"atMinute"`
}

var start = time.Unix(1_767_225_600, 0)

func main() {
	var cases []testCase
	must(json.NewDecoder(os.Stdin).Decode(&cases))
	engine := promql.NewEngine(promql.EngineOpts{
		MaxSamples: 1_000_000,
		Timeout:    time.Minute,
		Parser:     parser.NewParser(parser.Options{}),
	})
	answers := make([][]float64, len(cases))
	for index, one := range cases {
		answers[index] = answer(engine, one)
	}
	must(json.NewEncoder(os.Stdout).Encode(answers))
}

func answer(engine *promql.Engine, one testCase) []float64 {
	folder, err := os.MkdirTemp("", "timmerman-alerts-")
	must(err)
	defer os.RemoveAll(folder)
	db, err := tsdb.Open(folder, nil, nil, tsdb.DefaultOptions(), nil)
	must(err)
	defer db.Close()
	appender := db.Appender(context.Background())
	for _, given := range one.Series {
		own := labels.FromMap(given.Labels)
		for minute, value := range given.Values {
			if value == nil {
				continue
			}
			_, err := appender.Append(0, own, minuteAt(minute).UnixMilli(), *value)
			must(err)
		}
	}
	must(appender.Commit())
	query, err := engine.NewInstantQuery(context.Background(), db, nil, one.Query, minuteAt(one.AtMinute))
	must(err)
	defer query.Close()
	vector, err := query.Exec(context.Background()).Vector()
	must(err)
	values := []float64{}
	for _, sample := range vector {
		values = append(values, sample.F)
	}
	return values
}

func minuteAt(minute int) time.Time {
	return start.Add(time.Duration(minute) * time.Minute)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
