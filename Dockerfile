# docker build -t hornbeam . && docker run --rm -v "$PWD:/work" hornbeam queue.c
FROM golang:1.26-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends libz3-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -trimpath -o /hornbeam ./cmd/hornbeam

# gcc has the headers that C programs include, and compiles harnesses.
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libz3-4 gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY --from=build /hornbeam /usr/local/bin/hornbeam
WORKDIR /work
ENTRYPOINT ["hornbeam"]
